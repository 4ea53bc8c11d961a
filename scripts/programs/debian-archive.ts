/**
 * A program of a Debian package without installing it: fetched from the machine's own package source, its suite
 * exchanged if need be, checked by apt with Debian's keys, and unpacked. Needs no root.
 */
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runAndRead } from '../processes.ts'

const keys = '/usr/share/keyrings/debian-archive-keyring.gpg'

/** Where this machine takes Debian from; undefined when it is no Debian. */
export async function findDebianSource(): Promise<{ uri: string; suite: string } | undefined> {
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb') || !existsSync(keys)) return undefined
  const format = '$(ORIGIN) $(COMPONENT) $(CODENAME) $(REPO_URI)'
  const { code, output } = await runAndRead('apt-get', ['indextargets', '--format', format, 'Identifier: Packages'])
  const line = output.split('\n').find((one) => /^Debian main [a-z]+ https?:/.test(one))
  const [, , suite, uri] = line?.split(' ') ?? []
  return code === 0 && suite && uri ? { uri, suite } : undefined
}

/**
 * Puts the file `path` of the newest `pack` in `suite` at `target`, unless it is there. Throws with apt's words when it
 * cannot be had.
 */
export async function unpackProgram(
  { uri, suite }: { uri: string; suite: string },
  { pack, path, target }: { pack: string; path: string; target: string },
): Promise<void> {
  if (existsSync(target)) return
  mkdirSync(dirname(target), { recursive: true })
  // Beside the target: it comes there by a rename.
  const work = mkdtempSync(`${target}.`)
  try {
    const inside = (name: string) => join(work, name)
    for (const name of ['lists/partial', 'cache/archives/partial', 'state', 'files'])
      mkdirSync(inside(name), { recursive: true })
    writeFileSync(inside('sources.list'), `deb [signed-by=${keys}] ${uri} ${suite} main\n`)
    const settings = {
      'Dir::Etc::SourceList': inside('sources.list'),
      'Dir::Etc::SourceParts': '-',
      'Dir::State': inside('state'),
      'Dir::State::Lists': inside('lists'),
      'Dir::Cache': inside('cache'),
      'Acquire::Languages': 'none',
      'APT::Sandbox::User': '',
      'Acquire::Retries': '0',
      'Acquire::http::Timeout': '10',
      'Acquire::https::Timeout': '10',
    }
    const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";`)
    writeFileSync(inside('apt.conf'), `${lines.join('\n')}\n`)
    const apt = async (...args: string[]) => await run('env', ['-C', work, 'apt-get', '-qq', '-c', 'apt.conf', ...args])
    await apt('update')
    await apt('download', pack)
    const [archive] = globSync('*.deb', { cwd: work })
    if (archive === undefined) throw new Error(`apt-get downloaded nothing for ${pack}`)
    await run('dpkg-deb', ['-x', inside(archive), inside('files')])
    renameSync(join(inside('files'), path), target)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function run(command: string, args: string[]): Promise<void> {
  const { code, output } = await runAndRead(command, args)
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${output.trim().split('\n').slice(-3).join(' ')}`)
}
