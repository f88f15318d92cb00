c = get_config()  # noqa: F821 (nbgrader provides it)
c.CourseDirectory.course_id = "avisos"
c.ClearSolutions.code_stub = {"python": "# Escribe aquí tu respuesta.\nraise NotImplementedError"}
c.ClearSolutions.text_stub = "Escribe aquí tu respuesta."
