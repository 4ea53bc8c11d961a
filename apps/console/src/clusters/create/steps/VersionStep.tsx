import { ChoiceCard } from '../../../kit/form/ChoiceCard.tsx'
import { Tag } from '../../../kit/page/Tag.tsx'
import { UnreadableRows } from '../../../kit/table/UnreadableRows.tsx'
import { useText } from '../../../locales/text.ts'
import { resolveChoice } from '../../offers/create-choice.ts'
import classes from '../../offers/Offers.module.css'
import wizard from '../CreateWizard.module.css'
import type { StepProps } from '../step-props.ts'
import { useCreateSearch } from '../use-create-search.ts'
import { StepFrame } from './StepFrame.tsx'

/** Which version is installed. */
export function VersionStep({ init }: StepProps) {
  const t = useText()
  const { search, choose } = useCreateSearch()
  const choice = resolveChoice(search, init.instanceInfo)
  return (
    <StepFrame
      step="version"
      title={t('create.versionTitle')}
      lead={t('create.versionLead')}
      init={init}
      choice={choice}
      blocked={choice.version && choice.offer ? undefined : t('create.noneAvailableTitle')}
    >
      <div className={wizard.stack} role="radiogroup" aria-label={t('create.stepVersion')}>
        {init.instanceInfo.versions.map(({ version, title, summary, recommended, beta }) => (
          <ChoiceCard
            key={version}
            group="version"
            value={version}
            mark="right"
            chosen={version === choice.version?.version}
            onChoose={() => choose({ version })}
          >
            <span className={classes.head}>
              <span className={classes.title}>{title}</span>
              {recommended && <Tag tone="accent">{t('create.recommended')}</Tag>}
            </span>
            <span className={classes.text}>{summary}</span>
            {beta && <span className={classes.text}>{t('create.beta')}</span>}
          </ChoiceCard>
        ))}
        <UnreadableRows of={init.instanceInfo.versions} />
      </div>
    </StepFrame>
  )
}
