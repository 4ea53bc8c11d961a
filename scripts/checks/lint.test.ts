import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runAndRead } from '../processes.ts'
import { binaryOf, projectRoot } from '../project.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atoll-lint-'))
  // Our own rules; only without git, which the folder has not.
  const config = JSON.parse(readFileSync(join(projectRoot, 'biome.json'), 'utf8')) as object
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, $schema: undefined, vcs: { enabled: false } }))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function lint(files: Record<string, string>): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const { output } = await runAndRead(binaryOf('biome'), ['lint', '--colors=off', folder, `--config-path=${folder}`])
  return output
}

const server = 'apps/server/src'

it.each([
  [
    'noImportCycles',
    {
      [`${server}/a.ts`]: "import { b } from './b.ts'\nexport const a = () => b\n",
      [`${server}/b.ts`]: "import { a } from './a.ts'\nexport const b = () => a\n",
    },
  ],
  ['noConsole', { [`${server}/a.ts`]: "console.log('hi')\n" }],
  ['noDefaultExport', { [`${server}/a.ts`]: 'export default 1\n' }],
  ['useNodejsImportProtocol', { [`${server}/a.ts`]: "import { join } from 'path'\nexport const a = join\n" }],
  [
    'noUndeclaredDependencies',
    {
      'apps/server/package.json': '{"name":"x","dependencies":{}}',
      [`${server}/a.ts`]: "import { z } from 'zod'\nexport const a = z\n",
    },
  ],
  [
    'noJsxLiterals',
    { 'apps/console/src/Greeting.tsx': 'export function Greeting() {\n  return <p>Welcome back</p>\n}\n' },
  ],
])('the linter reports %s', async (rule, files) => {
  expect(await lint(files)).toContain(rule)
})

it('and nothing where nothing is wrong', async () => {
  const output = await lint({
    [`${server}/a.ts`]: "import { b } from './b.ts'\nexport const a = b\n",
    [`${server}/b.ts`]: 'export const b = 1\n',
  })
  expect(output).not.toMatch(/lint\//)
})
