import type { InstanceInfo } from '@atoll/contract/clusters'
import { formatMiB } from '@atoll/ui/i18n'
import { useLocale, useText } from '../../locales/text.ts'

type Hardware = Pick<InstanceInfo['data'][number], 'cpuCoreCount' | 'memorySize' | 'diskSize'>

/**
 * The hardware of a size, in a line that breaks between its facts and nowhere else: `2 vCPU · 4 GB memory · 50 GB
 * disk`.
 */
export function useHardwareWords(): (hardware: Hardware) => string {
  const t = useText()
  const locale = useLocale()
  return ({ cpuCoreCount, memorySize, diskSize }) =>
    [
      t('cluster.vCpu', { count: cpuCoreCount }),
      t('cluster.memory', { size: formatMiB(memorySize, locale) }),
      t('cluster.disk', { size: formatMiB(diskSize, locale) }),
    ]
      .map((fact) => fact.replaceAll(' ', '\u00a0'))
      .join(' · ')
}
