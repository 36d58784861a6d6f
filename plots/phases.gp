# phases
