/**
 * A form whose fields are those of a call: `useCallForm(clusterRename, { rest: { clusterId }, values: { name } })`. The
 * fault of a field is shown when it is left changed and when the form is sent: by `check`, then by the call's schema,
 * then by the server. A failure that is about no field of the form is `error`; after any failure the typed values stay.
 */

import type { Call, CallData, CallRequest, Locale } from '@atoll/contract/wire'
import { fieldReasonIn, issueReasonIn } from '@atoll/texts/fields'
import { type GetInputPropsReturnType, type UseFormReturnType, useForm } from '@mantine/form'
import type { FormEvent } from 'react'
import { CallFailure } from '../../data/call-failure.ts'
import { type CallMutationOptions, useCallMutation } from '../../data/use-call-mutation.ts'
import { useLocale } from '../../locales/text.ts'

type Values = Record<string, unknown>
/** By field; undefined: nothing is wrong. */
type Problems<V extends Values> = { [Field in keyof V]?: string | undefined }

interface CallFormOptions<C extends Call, V extends Values> extends CallMutationOptions<C> {
  /** First values of the fields, by their names in the call's body. Texts are sent without the spaces around them. */
  values: V
  /** The body's other fields. */
  rest?: object | undefined
  /** Faults of the fields beyond the call's own rules, in words. */
  check?: (values: V) => Problems<V>
}

export interface FieldProps extends GetInputPropsReturnType {
  description: string | undefined
  inputWrapperOrder: ['label', 'input', 'description', 'error']
}

export interface CallForm<C extends Call, V extends Values> {
  form: UseFormReturnType<V>
  /** For the fields' inputs: `<TextInput {...field('name')} />`; their help gives way to what is wrong. */
  field: (name: keyof V & string, help?: string) => FieldProps
  /** For `<form onSubmit>`; nothing happens while the call is under way. */
  submit: (onSuccess?: (answer: CallData<C>) => void) => (event?: FormEvent<HTMLFormElement>) => void
  isPending: boolean
  isSuccess: boolean
  /** Why it failed, or takes so long, where that is about no field. */
  error: Error | null
  giveUp: () => void
}

export function useCallForm<C extends Call, V extends Values>(
  call: C,
  { values, rest, check, ...options }: CallFormOptions<C, V>,
): CallForm<C, V> {
  const locale = useLocale()
  const mutation = useCallMutation(call, options)
  // The fields and the rest are together what the call takes: else its schema names the field.
  const bodyOf = (typed: V) => ({ ...rest, ...trimmed(typed) }) as unknown as CallRequest<C>
  const form = useForm<V>({
    initialValues: values,
    validateInputOnBlur: true,
    // A refusal is shown until something else is typed.
    onValuesChange: mutation.reset,
    validate(typed) {
      const problems = { ...problemsOf(call, bodyOf(typed), locale), ...withoutEmpty(check?.(trimmed(typed))) }
      // Faults in the rest of the body are not the person's to fix: the server names them.
      return Object.fromEntries(Object.entries(problems).filter(([name]) => name in values))
    },
  })
  /** Where focus is, what is wrong with a field is read out. */
  const focusOn = (name: string | undefined) => name !== undefined && form.getInputNode(name)?.focus()
  const fieldOf = (error: Error | null) =>
    error instanceof CallFailure && error.field !== undefined && error.field in values ? error.field : undefined

  return {
    form,
    field(name, help) {
      const props = form.getInputProps(name)
      return {
        ...props,
        // A field nobody typed into has nothing wrong with it yet: its error would push away what is being pressed.
        onBlur: form.isDirty(name) ? props.onBlur : undefined,
        description: form.errors[name] ? undefined : help,
        inputWrapperOrder: ['label', 'input', 'description', 'error'],
      }
    },
    submit: (onSuccess) =>
      form.onSubmit(
        (typed) => {
          if (mutation.isPending) return
          mutation.mutate(bodyOf(typed), {
            ...(onSuccess && { onSuccess }),
            onError(error) {
              const field = fieldOf(error)
              if (field === undefined) return
              form.setFieldError(field, error.message)
              focusOn(field)
            },
          })
        },
        (problems) => focusOn(Object.keys(problems)[0]),
      ),
    isPending: mutation.isPending,
    isSuccess: mutation.isSuccess,
    error: fieldOf(mutation.error) === undefined ? mutation.error : null,
    giveUp: mutation.giveUp,
  }
}

function trimmed<V extends Values>(values: V): V {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : value,
  ])
  // The same names with values of the same types.
  return Object.fromEntries(entries) as V
}

function withoutEmpty(problems: Problems<Values> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/**
 * Faults found by the call's schema, by the first part of their path, in the words in which the server would say them.
 */
export function problemsOf<C extends Call>(call: C, body: CallRequest<C>, locale: Locale): Record<string, string> {
  const { error } = call.body.safeParse(body, { error: (issue) => issueReasonIn(issue, locale) })
  const problems: Record<string, string> = {}
  for (const { path, message } of error?.issues ?? []) {
    const reason = fieldReasonIn(message, locale)
    problems[String(path[0])] ??= reason.charAt(0).toUpperCase() + reason.slice(1)
  }
  return problems
}
