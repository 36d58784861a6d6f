# sweep
