"""Level manifests and the authoring formats (glTF, OBJ, height images)."""
