import type { Resource } from '@atoll/contract/clusters'
import type { ReactNode } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { formatDayAndTime } from '../../kit/format/times.ts'
import { CopyValue } from '../../kit/page/CopyValue.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { ClusterHardware } from '../card/ClusterHardware.tsx'
import { useRegionName } from '../card/use-region-name.ts'
import { useVersionTitle } from '../card/use-version-title.ts'
import classes from '../frame/ClusterPage.module.css'
import about from './AboutSection.module.css'

/** Facts that seldom change. */
export function AboutSection({ cluster }: { cluster: Resource }) {
  const t = useText()
  const locale = useLocale()
  const region = useRegionName(cluster)
  const version = useVersionTitle(cluster)
  return (
    <section className="box clip" aria-labelledby="about">
      <div className={classes.cardHeader}>
        <h2 id="about">{t('detail.about')}</h2>
      </div>
      <dl className={about.facts}>
        <Fact label={t('detail.aboutHardware')}>
          {cluster.cpuCoreTotalCount > 0 ? <ClusterHardware cluster={cluster} /> : t('detail.none')}
        </Fact>
        {cluster.clusterType === 'Cloud' && <Fact label={t('detail.aboutRegion')}>{region ?? t('detail.none')}</Fact>}
        <Fact label={t('detail.aboutVersion')}>{version ?? t('detail.none')}</Fact>
        <Fact label={t('detail.aboutCreated')}>{formatDayAndTime(cluster.createAt, serverNow(), locale)}</Fact>
        <Fact label={t('detail.aboutId')}>
          <span className="mono">{cluster.clusterId}</span>
          <CopyValue value={cluster.clusterId} what={t('detail.aboutId')} />
        </Fact>
      </dl>
    </section>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
