import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { agentVersion } from '../kernel/version.ts'
import { writeChoice } from './choice.ts'
import { launchOther } from './launch.ts'
import { chosenVariable } from './start-again.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'atoll-launch-')))
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

test('a version in a home that is named by a link is told its folder as its own code finds it', async () => {
  const [real, link] = [join(folder, 'real'), join(folder, 'link')]
  const program = join(real, 'program/b')
  mkdirSync(program, { recursive: true })
  symlinkSync(real, link)
  writeFileSync(
    join(program, 'main.mjs'),
    `import { writeFileSync } from 'node:fs'
    writeFileSync(${JSON.stringify(join(folder, 'told'))}, process.env.${chosenVariable})`,
  )
  const own = { version: agentVersion, folder: null }
  const current = { version: '9.0.0', folder: 'b' }
  writeChoice(join(real, 'program/choice.json'), {
    base: agentVersion,
    current,
    previous: own,
    trial: null,
    failed: null,
  })
  vi.stubEnv('ATOLL_AGENT_HOME', link)
  vi.stubEnv(chosenVariable, undefined)
  expect(await launchOther()).toBe(true)
  expect(readFileSync(join(folder, 'told'), 'utf8')).toBe(program)
})
