import { formatMiB } from '@atoll/ui/i18n'
import { UnstyledButton } from '@mantine/core'
import { ChoiceCard } from '../../kit/form/ChoiceCard.tsx'
import { formatMoney } from '../../kit/format/money.ts'
import { Tag } from '../../kit/page/Tag.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import type { Offer } from './create-choice.ts'
import classes from './Offers.module.css'

interface OfferCardProps {
  offer: Offer
  /** No, where none of the sizes costs anything. */
  showsPrice: boolean
  /** The region it is offered in. */
  regionTitle: string
  chosen: boolean
  onChoose: () => void
  /** Takes the same size in another region. */
  onRegion: (regionId: string) => void
}

/** A size with its price. One that cannot be had keeps its price, says why and, where there is one, the way out. */
export function OfferCard({
  offer: { offering, price, block },
  showsPrice,
  regionTitle,
  chosen,
  onChoose,
  onRegion,
}: OfferCardProps) {
  const t = useText()
  const locale = useLocale()
  const elsewhere = block?.kind === 'soldOut' ? block.elsewhere[0] : undefined
  return (
    <div className={classes.offer}>
      <ChoiceCard
        group="offering"
        value={offering.name}
        mark="right"
        chosen={chosen}
        disabled={block !== undefined}
        onChoose={onChoose}
      >
        <span className={classes.head}>
          <span className={classes.title}>{offering.title}</span>
          {block?.kind === 'soldOut' && <Tag>{t('create.soldOut')}</Tag>}
          {block?.kind === 'overQuota' && <Tag tone="amber">{t('create.overQuota')}</Tag>}
          {block?.kind === 'tooSmall' && <Tag tone="amber">{t('create.tooSmall')}</Tag>}
        </span>
        <span className={classes.specs} data-blocked={block ? true : undefined}>
          <Spec figure={String(offering.cpuCoreCount)} unit="" name={t('create.vCpuUnit')} />
          <Spec {...split(formatMiB(offering.memorySize, locale))} name={t('create.memoryUnit')} />
          <Spec {...split(formatMiB(offering.diskSize, locale))} name={t('create.diskUnit')} />
        </span>
        {(showsPrice || block) && (
          <span className={classes.foot} data-elsewhere={elsewhere ? true : undefined}>
            {showsPrice && (
              <span className={classes.price} data-blocked={block ? true : undefined}>
                <b>{price ? formatMoney(price.amount, price.currency, locale) : '–'}</b>
                {t('create.perMonth')}
              </span>
            )}
            {block?.kind === 'overQuota' && (
              <span className="tiny quiet num">
                {t('create.overQuotaHelp', { needed: block.needed, free: block.free })}
              </span>
            )}
            {block?.kind === 'soldOut' && !elsewhere && (
              <span className="tiny quiet num">{t('create.soldOutHelp', { region: regionTitle })}</span>
            )}
          </span>
        )}
      </ChoiceCard>
      {elsewhere && (
        <UnstyledButton className={classes.elsewhere} onClick={() => onRegion(elsewhere.regionId)}>
          {t('create.availableIn', { region: elsewhere.title })}
        </UnstyledButton>
      )}
    </div>
  )
}

function Spec({ figure, unit, name }: { figure: string; unit: string; name: string }) {
  return (
    <span className={classes.spec}>
      <span className={classes.figure}>
        {figure}
        {unit && <span className={classes.unit}> {unit}</span>}
      </span>
      <span className={classes.specName}>{name}</span>
    </span>
  )
}

/** `8 GB` as its figure and its unit. */
function split(amount: string): { figure: string; unit: string } {
  const at = amount.lastIndexOf(' ')
  return { figure: amount.slice(0, at), unit: amount.slice(at + 1) }
}
