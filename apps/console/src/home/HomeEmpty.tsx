import { EmptyState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconDoorExit, IconReceipt } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { CreateButton } from '../billing/shared/CreateButton.tsx'
import { useText } from '../locales/text.ts'

/** No cluster yet: what it is for, and the one next step. */
export function HomeEmpty() {
  const t = useText()
  return (
    <EmptyState
      tall
      title={t('home.emptyTitle')}
      actions={
        <>
          <CreateButton variant="filled" size="lg" />
          <Button
            variant="subtle"
            size="lg"
            renderRoot={(props) => <Link {...props} to="/create/{-$uid}" search={{ flavour: 'SelfHost' }} />}
          >
            {t('home.ownMachine')}
          </Button>
        </>
      }
      facts={[
        { icon: <IconReceipt size={16} stroke={1.6} aria-hidden="true" />, text: t('home.emptyFactPrice') },
        { icon: <IconDoorExit size={16} stroke={1.6} aria-hidden="true" />, text: t('home.emptyFactLeave') },
      ]}
    >
      {t('home.empty')}
    </EmptyState>
  )
}
