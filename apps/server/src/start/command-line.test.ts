import { expect, it } from 'vitest'
import { ConfigError } from '../platform/settings/read-settings.ts'
import { needsBuilds, readCommand } from './command-line.ts'

const read = (...args: string[]) => readCommand(args, {}, '/project')

it('starts every role when nothing is said', () => {
  expect(read()).toMatchObject({ name: 'serve', config: { roles: ['api', 'worker', 'edge', 'dns', 'vault'] } })
})

it('takes roles from the argument before the environment', () => {
  const command = readCommand(['--roles', 'edge'], { ATOLL_ROLES: 'api' }, '/project')
  expect(command).toMatchObject({ name: 'serve', config: { roles: ['edge'] } })
})

it('needs no pages for an edge alone, nor where nothing is served', () => {
  expect(needsBuilds(read())).toBe(true)
  expect(needsBuilds(read('--roles', 'edge,api'))).toBe(true)
  for (const args of [['--roles', 'edge,dns,vault'], ['migrate'], ['--help']])
    expect(needsBuilds(read(...args))).toBe(false)
})

it('knows migrate and help', () => {
  expect(read('migrate')).toMatchObject({ name: 'migrate' })
  // Help is given whatever else is wrong.
  expect(readCommand(['--help'], { ATOLL_PORT: 'x' }, '/project')).toEqual({ name: 'help', isJson: false })
  expect(read('--help', '--json')).toEqual({ name: 'help', isJson: true })
})

it.each([[['cook']], [['migrate', 'twice']], [['--colour']], [['--roles']], [['--roles', 'cook']]])(
  'refuses %j',
  (args) => {
    expect(() => read(...args)).toThrow(ConfigError)
  },
)
