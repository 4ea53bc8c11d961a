/**
 * `atollctl` in a folder of its own, as a machine with the package has it: its settings, its versions and its locks are
 * there, the programs are those of the checkout, and systemd is two small files that run or leave what it is asked.
 */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { operatorProgram, serverEntryPoint, serverProgram } from '@atoll/testkit'
import { projectRoot } from '../../scripts/project.ts'
import { operatorPrograms } from '../bundle.ts'
import { script } from './verbs.ts'

const systemdRun = (settings: string) => `#!/bin/sh
while :; do case $1 in -p) shift 2 ;; --*) shift ;; *) break ;; esac; done
set -a
. ${settings}/atoll.env
set +a
kill=$(cat ${settings}/kill 2>/dev/null)
case "$kill $*" in before*"\${kill#* }") rm ${settings}/kill; kill -9 $PPID; exit ;; esac
"$@"
ended=$?
case "$kill $*" in after*"\${kill#* }") rm ${settings}/kill; kill -9 $PPID ;; esac
exit $ended
`

const systemctl = (settings: string) => `#!/bin/sh
case "$(cat ${settings}/kill 2>/dev/null)" in "before $*") rm ${settings}/kill; kill -9 $PPID; exit ;; esac
case "$*" in *output=json*) echo "[]" ;; esac
`

export interface Said {
  code: number | null
  out: string
  err: string
}

export interface TriedAtollctl {
  /**
   * The folder of its settings, with atoll.env. A file `kill` in it with `before ARGUMENTS` or `after ARGUMENTS` kills
   * `atollctl` there, where a program is run whose last arguments are these, or before systemctl is asked this.
   */
  settings: string
  run(args: readonly string[], input?: string): Promise<Said>
}

/** `settings`: lines of atoll.env. `environment`: of the shell, besides PATH. */
export function layOutAtollctl(
  folder: string,
  settings: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
): TriedAtollctl {
  const path = (...parts: string[]) => join(folder, ...parts)
  for (const one of ['lib/versions/1.0.0/server', 'lib/versions/1.0.0/node/bin', 'etc', 'run', 'bin'])
    mkdirSync(path(one), { recursive: true })
  symlinkSync('versions/1.0.0', path('lib/current'))
  symlinkSync(process.execPath, path('lib/versions/1.0.0/node/bin/node'))
  const server = path('lib/versions/1.0.0/server')
  const stand = (name: string, program: string) =>
    writeFileSync(join(server, `${name}.mjs`), `await import('${pathToFileURL(program)}')\n`)
  for (const file of operatorPrograms)
    stand(basename(file, '.ts'), operatorProgram(relative('apps/server/src/operator', file)))
  stand('atoll', serverProgram() === serverEntryPoint ? join(projectRoot, 'release/server.ts') : serverProgram())
  writeFileSync(
    path('etc/atoll.env'),
    Object.entries(settings)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join(''),
  )
  const programs = {
    'systemd-run': systemdRun(path('etc')),
    systemctl: systemctl(path('etc')),
    journalctl: '#!/bin/sh\necho a line of the log\n',
    atollctl: script
      .replace('root=/usr/lib/atoll', `root=${path('lib')}`)
      .replace('settings=/etc/atoll', `settings=${path('etc')}`)
      .replace('run=/run', `run=${path('run')}`),
  }
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(path('bin', name), text)
    chmodSync(path('bin', name), 0o755)
  }
  const env = { PATH: `${path('bin')}:${process.env['PATH']}`, ...environment }
  return { settings: path('etc'), run: (args, input) => runTo(path('bin/atollctl'), args, { env, input }) }
}

async function runTo(
  program: string,
  args: readonly string[],
  { env, input = '' }: { env: NodeJS.ProcessEnv; input?: string | undefined },
): Promise<Said> {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text
  })
  child.stdin.on('error', () => undefined) // a command that reads nothing has ended
  child.stdin.end(input)
  const ended = Promise.withResolvers<number | null>()
  child.once('error', ended.reject)
  child.once('close', ended.resolve)
  return { code: await ended.promise, ...said }
}
