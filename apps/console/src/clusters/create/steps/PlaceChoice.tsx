import { ChoiceCard } from '../../../kit/form/ChoiceCard.tsx'
import classes from '../../offers/Offers.module.css'
import wizard from '../CreateWizard.module.css'
import { OnlyChoice } from './OnlyChoice.tsx'

interface PlaceChoiceProps {
  /** Name of the group of radio buttons. */
  group: string
  title: string
  places: { value: string; title: string; place?: string }[]
  chosen: string | undefined
  onChoose: (value: string) => void
}

/** Where it runs: radio buttons, or a line of text where there is one choice. */
export function PlaceChoice({ group, title, places, chosen, onChoose }: PlaceChoiceProps) {
  const [only, ...others] = places
  if (only && others.length === 0) {
    return <OnlyChoice title={title} text={[only.title, only.place].filter(Boolean).join(' · ')} />
  }
  return (
    <fieldset className={wizard.section}>
      <legend className={classes.legend}>{title}</legend>
      <div className={wizard.row}>
        {places.map(({ value, title: name, place }) => (
          <ChoiceCard
            key={value}
            group={group}
            value={value}
            mark="left"
            chosen={value === chosen}
            onChoose={() => onChoose(value)}
          >
            <span className={classes.title}>{name}</span>
            {place && <span className={classes.place}>{place}</span>}
          </ChoiceCard>
        ))}
      </div>
    </fieldset>
  )
}
