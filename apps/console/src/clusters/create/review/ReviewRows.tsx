import { useText } from '../../../locales/text.ts'
import type { CreateChoice } from '../../offers/create-choice.ts'
import { useHardwareWords } from '../../offers/use-hardware-words.ts'
import type { CreateStep } from '../create-search.ts'
import type { OrderForm } from '../use-order-form.ts'
import { ReviewList } from './ReviewList.tsx'

interface ReviewRowsProps {
  order: OrderForm
  choice: CreateChoice
  /** Those there are: a choice without a step cannot be changed. */
  steps: readonly CreateStep[]
  owner: string
}

/** The choices for a Cloud cluster. */
export function ReviewRows({ order, choice: { cloud, region, offer, version }, steps, owner }: ReviewRowsProps) {
  const t = useText()
  const hardwareWords = useHardwareWords()
  const at = (step: CreateStep) => (steps.includes(step) ? { step } : {})
  const rows = [
    { title: t('create.rowFlavour'), value: t('create.cloud'), ...at('flavour') },
    {
      title: t('create.rowHardware'),
      value: offer?.offering.title ?? '',
      detail: offer && hardwareWords(offer.offering),
      ...at('hardware'),
    },
    {
      title: t('create.rowRegion'),
      value: [cloud?.title, region?.title].filter(Boolean).join(' · '),
      ...at('hardware'),
    },
    { title: t('create.rowVersion'), value: version?.title ?? '', ...at('version') },
    { title: t('create.rowOwner'), value: owner },
  ]
  return <ReviewList order={order} rows={rows} />
}
