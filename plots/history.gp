# history
