import { ChoiceCard } from '../../kit/form/ChoiceCard.tsx'
import { formatMoney } from '../../kit/format/money.ts'
import { useLocale, useText } from '../../locales/text.ts'
import type { Offer } from './create-choice.ts'
import { useHardwareWords } from './use-hardware-words.ts'
import classes from './WorkerOffer.module.css'

interface WorkerOfferProps {
  offer: Offer
  /** No, where none of the sizes costs anything. */
  showsPrice: boolean
  chosen: boolean
  onChoose: () => void
}

/** A size on one line. One that cannot be had keeps its price and says why. */
export function WorkerOffer({ offer: { offering, price, block }, showsPrice, chosen, onChoose }: WorkerOfferProps) {
  const t = useText()
  const locale = useLocale()
  const hardwareWords = useHardwareWords()
  return (
    <ChoiceCard
      group="worker-offering"
      value={offering.name}
      mark="left"
      chosen={chosen}
      disabled={block !== undefined}
      onChoose={onChoose}
    >
      <span className={classes.row} data-blocked={block ? true : undefined}>
        <span>
          <span className={classes.title}>{offering.title}</span>
          <span className={classes.detail}>{hardwareWords(offering)}</span>
        </span>
        <span className={classes.end}>
          {showsPrice && (
            <span className={classes.price}>{price ? formatMoney(price.amount, price.currency, locale) : '–'}</span>
          )}
          {block && (
            <span className={classes.detail}>
              {block.kind === 'overQuota'
                ? t('create.overQuotaHelp', { needed: block.needed, free: block.free })
                : t(block.kind === 'soldOut' ? 'create.soldOut' : 'create.tooSmall')}
            </span>
          )}
        </span>
      </span>
    </ChoiceCard>
  )
}
