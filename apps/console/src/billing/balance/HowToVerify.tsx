import { verifierPaths } from '@atoll/contract/billing'
import { CopyValue } from '../../kit/page/CopyValue.tsx'
import { StepNumber } from '../../kit/page/StepNumber.tsx'
import { type TextKey, useText } from '../../locales/text.ts'
import { statementName } from '../shared/StatementButton.tsx'
import classes from './HowToVerify.module.css'

const steps: readonly [title: TextKey, text: TextKey][] = [
  ['balance.step1Title', 'balance.step1'],
  ['balance.step2Title', 'balance.step2'],
  ['balance.step3Title', 'balance.step3'],
]

/** How anybody checks the statement without us: three steps and the one command. */
export function HowToVerify() {
  const t = useText()
  const command = `npx ${location.origin}${verifierPaths.package} ${statementName()}`
  return (
    <section className="box clip" aria-labelledby="how-to-verify">
      <div className={classes.words}>
        <h2 id="how-to-verify">{t('balance.howTitle')}</h2>
        <ol className={classes.steps}>
          {steps.map(([title, text], at) => (
            <li key={title} className={classes.step}>
              <StepNumber number={at + 1} />
              <div>
                <h3>{t(title)}</h3>
                <p>{t(text)}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
      <div className={classes.command}>
        <code>{command}</code>
        <CopyValue value={command} what={t('balance.command')} />
      </div>
    </section>
  )
}
