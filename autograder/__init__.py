"""What only a teacher's machine imports: it grades what students hand in. `bentocola` never imports it."""
