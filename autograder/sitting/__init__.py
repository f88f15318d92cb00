"""What the invigilator does during one sitting: rooms, clocks, outputs, marks."""
