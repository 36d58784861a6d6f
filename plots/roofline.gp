# roofline
