"""Language models, embedding models and text tools."""
