import xla_step as it

it.main()
