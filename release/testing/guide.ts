/**
 * The commands of `docs/operate`, in the order of the guide. The word after `sh` says who runs a block: none, the test
 * of the guide; `on-a-machine`, the proof of a release, which needs a machine of its own; `by-hand`, a person alone.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../scripts/project.ts'

export const guidePages = [
  ...['plan.md', 'install.md', 'customers.md', 'secure.md', 'watch.md', 'back-up.md', 'upgrade.md', 'grow.md'],
  ...['move.md', 'troubles.md'],
]

export interface GuideBlock {
  page: string
  /** As the fence has it. */
  info: string
  /** A command each, what continues on the next line joined. */
  commands: readonly string[]
}

export function readGuide(): GuideBlock[] {
  return guidePages.flatMap((page) => {
    const text = readFileSync(join(projectRoot, 'docs/operate', page), 'utf8')
    return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, info = '', body = '']) => ({
      page,
      info,
      commands: body
        .replaceAll(/ \\\n\s*/g, ' ')
        .split('\n')
        .filter((line) => line !== ''),
    }))
  })
}

/** `command` with what stands for something else in the guide, such as a name, as it is here. */
export function fill(command: string, words: Readonly<Record<string, string>>): string {
  return Object.entries(words).reduce((text, [word, value]) => text.replaceAll(word, value), command)
}
