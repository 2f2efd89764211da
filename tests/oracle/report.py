run = run_silent = run_cases = render = lambda *a: []
