import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useText } from '../../../locales/text.ts'
import classes from '../../offers/Offers.module.css'
import type { CreateStep } from '../create-search.ts'
import { NameField } from '../steps/NameField.tsx'
import type { OrderForm } from '../use-order-form.ts'

interface ReviewListProps {
  /** The account that the order is for; its name is the first row. */
  order: OrderForm
  rows: { title: string; value: string; detail?: string | undefined; step?: CreateStep }[]
}

/** The name, which is edited in its row, and every choice with the way back to it. */
export function ReviewList({ order, rows }: ReviewListProps) {
  const t = useText()
  return (
    <dl className="box">
      <div className={classes.reviewRow} data-wide>
        <dt>{t('create.name')}</dt>
        <dd>
          <NameField order={order} />
        </dd>
      </div>
      {rows.map(({ title, value, detail, step }) => (
        <div key={title} className={classes.reviewRow}>
          <dt>{title}</dt>
          <dd>
            {value}
            {detail && <span className={classes.detail}>{detail}</span>}
          </dd>
          {step && (
            <dd>
              <Button
                variant="subtle"
                size="xs"
                className={classes.change}
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
