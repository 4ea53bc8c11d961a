/**
 * The program that verifies statements, as it is served: the build of `packages/statement/program`, with the public
 * keys of this deployment written into it. It works offline, and needs nothing else from this server.
 */
import { gzipSync } from 'node:zlib'
import { tarOf } from '../../../../platform/archives/tar.ts'

const name = 'atoll-statement'

/** The program with the keys, hex, that sign statements at `issuer` or did; `program` is the built one. */
export function withKeys(program: string, keys: readonly string[], issuer: string): string {
  const [first = '', ...lines] = program.split('\n')
  if (!first.startsWith('#!')) throw new Error('The program that checks statements does not begin with its #! line')
  const words = `// The keys of the statements of ${issuer}, present and past: no other key's statement is sound.`
  return [first, words, `globalThis.statementKeys = ${JSON.stringify(keys)}`, ...lines].join('\n')
}

/** The same as an npm package without dependencies, for `npx <address>`: as `npm pack` lays it out. */
export function packVerifier(program: string): Buffer {
  const manifest = { name, version: '1.0.0', type: 'module', bin: { [name]: `${name}.mjs` } }
  return gzipSync(
    tarOf([
      { name: `package/${name}.mjs`, bytes: Buffer.from(program, 'utf8'), isExecutable: true },
      { name: 'package/package.json', bytes: Buffer.from(`${JSON.stringify(manifest)}\n`, 'utf8') },
    ]),
  )
}
