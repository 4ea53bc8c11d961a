import classes from '../CreateWizard.module.css'

/** The only choice, as a line of text. */
export function OnlyChoice({ title, text }: { title: string; text: string }) {
  return (
    <dl className={classes.only}>
      <dt>{title}</dt>
      <dd>{text}</dd>
    </dl>
  )
}
