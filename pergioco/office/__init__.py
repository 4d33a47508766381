"""The federation's office: cases, data requests, prizes, newsletters, notices and brochures."""
