import '@mantine/core/styles/SegmentedControl.layer.css'
import { type StaffMember, staffChange } from '@atoll/contract/staff'
import { displayName, type StaffRole, staffRoles } from '@atoll/contract/wire'
import { SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useText } from '../../locales/text.ts'
import { ActDialog } from '../approve/ActDialog.tsx'

interface StaffDialogProps {
  /** Whose role is changed or ended; undefined: somebody new. */
  member: StaffMember | undefined
  ends: boolean
  onClose: () => void
}

/** Gives a role to somebody, another one, or none. */
export function StaffDialog({ member, ends, onClose }: StaffDialogProps) {
  const t = useText()
  const [who, setWho] = useState('')
  const [role, setRole] = useState<StaffRole>(member?.role === 'support' ? 'operator' : 'support')
  const name = member ? displayName(member.person) : who.trim()
  const wanted = ends ? 'end' : role
  const title = () => {
    if (!member) return t('operator.staffAdd')
    return t(ends ? 'operator.staffEndTitle' : 'operator.staffChangeTitle', { name })
  }
  return (
    <ActDialog
      onClose={onClose}
      title={title()}
      lead={t(ends ? 'operator.staffEndText' : 'operator.staffLead')}
      act="staffChange"
      call={staffChange}
      fields={{ who: member?.person.userid ?? who.trim(), role: wanted }}
      asks={{ object: wanted, name }}
      keep={t('operator.staffKeep')}
      isDanger={ends}
    >
      {(problems) => (
        <>
          {!member && (
            <TextInput
              label={t('operator.staffWho')}
              description={problems['who'] ? undefined : t('operator.staffWhoHelp')}
              error={problems['who']}
              value={who}
              data-autofocus
              autoComplete="off"
              spellCheck={false}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              onChange={(event) => setWho(event.currentTarget.value)}
            />
          )}
          {!ends && (
            <SegmentedControl
              aria-label={t('operator.role')}
              value={role}
              onChange={(value) => setRole(staffRoles.find((each) => each === value) ?? 'support')}
              data={staffRoles.map((each) => ({
                value: each,
                label: t(each === 'support' ? 'operator.roleSupport' : 'operator.roleOperator'),
              }))}
            />
          )}
        </>
      )}
    </ActDialog>
  )
}
