# scaling
