"""What is printed: brochures, certificates and posters as PDF."""
