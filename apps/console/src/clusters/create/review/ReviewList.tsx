import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useText } from '../../../locales/text.ts'
import classes from '../../offers/Offers.module.css'
import type { CreateStep } from '../create-search.ts'

interface ReviewListProps {
  rows: { title: string; value: string; step?: CreateStep }[]
}

/** Every choice with the way back to it. */
export function ReviewList({ rows }: ReviewListProps) {
  const t = useText()
  return (
    <dl className="box">
      {rows.map(({ title, value, step }) => (
        <div key={title} className={classes.reviewRow}>
          <dt>{title}</dt>
          <dd>{value}</dd>
          {step && (
            <dd>
              <Button
                variant="subtle"
                size="xs"
                aria-label={t('create.changeWhat', { what: title })}
                renderRoot={(props) => <Link {...props} to="." search={(before) => ({ ...before, step })} />}
              >
                {t('create.change')}
              </Button>
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}
