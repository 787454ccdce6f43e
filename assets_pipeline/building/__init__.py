"""The stages of a level build: from read sources to the parts of a Level."""
