import { expect, it } from 'vitest'
import { ConfigError } from '../platform/config.ts'
import { readCommand } from './command-line.ts'

const read = (...args: string[]) => readCommand(args, {}, '/project')

it('starts every role when nothing is said', () => {
  expect(read()).toMatchObject({ name: 'serve', config: { roles: ['api', 'worker', 'edge'] } })
})

it('takes roles from the argument before the environment', () => {
  const command = readCommand(['--roles', 'edge'], { ATOLL_ROLES: 'api' }, '/project')
  expect(command).toMatchObject({ name: 'serve', config: { roles: ['edge'] } })
})

it('knows migrate and help', () => {
  expect(read('migrate')).toMatchObject({ name: 'migrate' })
  // Help is given whatever else is wrong.
  expect(readCommand(['--help'], { ATOLL_PORT: 'x' }, '/project')).toEqual({ name: 'help' })
})

it.each([[['cook']], [['migrate', 'twice']], [['--colour']], [['--roles']], [['--roles', 'cook']]])(
  'refuses %j',
  (args) => {
    expect(() => read(...args)).toThrow(ConfigError)
  },
)
