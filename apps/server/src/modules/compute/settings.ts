/** Settings of what is sold and of where instances of process live. */
import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { isRelease } from '../../platform/install.ts'
import { Path, setting, type ValuesOf } from '../../platform/settings/setting.ts'

export const computeSettings = {
  ATOLL_CATALOG: setting(Path, 'catalog.yaml', 'File of the catalogue: products, prices, regions and providers.'),
  ATOLL_CATALOG_APPLY: setting(
    z.enum(['file', 'asked']),
    'file',
    'When a changed catalogue counts: as soon as its file is written, or when somebody applies it (atollctl catalog apply). With `asked` the database holds the one in use, the same for every machine.',
  ),
  ATOLL_RUN_DIR: setting(
    Path,
    '/var/lib/atoll/run',
    'As root: folder for the copies of agent and Node that instances of process run, as the user atoll-instance.',
  ),
  RESTIC: setting(
    Path.optional(),
    undefined,
    'Program restic (0.14 or newer) that instances of process and self-hosted machines make backups with.',
    'found or unpacked by npm start; in a release the one in PATH',
  ),
  ATOLL_INSTANCE_DIR: setting(
    Path,
    '/var/lib/atoll/instances',
    'As root: folder for the files of instances of process. As another user they are in ATOLL_DATA_DIR.',
  ),
}

/** All absolute; the two folders are used by root alone. */
export function computeConfig(values: ValuesOf<typeof computeSettings>, root: string) {
  return {
    catalogFile: resolve(root, values.ATOLL_CATALOG),
    catalogApply: values.ATOLL_CATALOG_APPLY,
    runDir: resolve(root, values.ATOLL_RUN_DIR),
    /** Undefined: machines find their own. */
    resticProgram: values.RESTIC === undefined ? findInstalled() : resolve(root, values.RESTIC),
    instanceDir: resolve(root, values.ATOLL_INSTANCE_DIR),
  }
}

/** A release brings none; `npm start` names one. */
function findInstalled(): string | undefined {
  if (!isRelease) return undefined
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  return folders.map((folder) => join(folder, 'restic')).find((file) => isAbsolute(file) && existsSync(file))
}
