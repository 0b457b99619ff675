import type { ZodType } from 'zod'
import type { Reference } from '../../../lib/management/console-call'
import { controlId, type Field, readableOf, shownValues } from '../../../lib/server/next/console/field'
import { fieldsOf } from '../../../lib/server/next/console/form'
import type { MemberChoice, PickerOptions } from '../../../lib/server/next/console/pickers'
import { say } from '../../../lib/text/console'
import { Facts } from './facts'
import { type FormOf, OperationForm, type OperationFormProps } from './operation-form'

export type SettingsFormProps = Omit<OperationFormProps, 'fields' | 'submitLabel' | 'children'> & {
  /** Paths of members of the operation's body, in the order of the form. */
  members: readonly string[]
  /** The body, where its operation describes it for several kinds of objects at once. */
  schema?: ZodType | undefined
  /** The object with the present values; absent for a new one. */
  value?: unknown
  /** Further controls, which are no members of the body. */
  also?: readonly Field[]
  submitLabel?: string
  /** What can be chosen of members whose values are names of other objects. */
  choices?: PickerOptions
  /** False shows the value alone; of a function, for each member. */
  allowed?: boolean | ((member: string) => boolean)
}

/** The form of some members of an object. Labels, controls and validation derive from the operation's schema. */
export function SettingsForm<Of extends Reference>(props: SettingsFormProps & FormOf<Of>) {
  const {
    members,
    schema,
    value,
    also = [],
    submitLabel,
    choices = {},
    allowed = true,
    ...form
  }: SettingsFormProps = props
  const { open, closed } = splitFields({ operation: form.operation, members, value, schema, choices, allowed })
  const was = value === undefined ? {} : { was: shownValues(open) }
  return (
    <>
      {open.length > 0 && (
        <OperationForm {...form} {...was} fields={[...open, ...also]} submitLabel={submitLabel ?? say('form.save')} />
      )}
      {closed.length > 0 && (
        <>
          <p className="co-hint">{say('form.readonly')}</p>
          <Facts
            facts={closed.map((field) => [
              field.label,
              readableOf(field),
              form.id === undefined ? undefined : controlId(form.id, field.name),
            ])}
          />
        </>
      )}
    </>
  )
}

type Split = Pick<SettingsFormProps, 'operation' | 'members' | 'value' | 'schema' | 'choices' | 'allowed'>

/** The fields of the members: those that the person may change, and the others. */
export function splitFields({ operation, members, value, schema, choices = {}, allowed = true }: Split) {
  const fields = fieldsOf(operation, members, value, schema).map((field) => {
    if (field.kind !== 'rows') return withChoice(field, choices[field.name])
    const cells = (field.fields ?? []).map((cell) => withChoice(cell, choices[`${field.name}.${cell.name}`]))
    return withChoice({ ...field, fields: cells }, choices[field.name])
  })
  const isOpen = ({ name }: Field): boolean => (typeof allowed === 'function' ? allowed(name) : allowed)
  return { open: fields.filter(isOpen), closed: fields.filter((field) => !isOpen(field)) }
}

function withChoice(field: Field, choice: MemberChoice | undefined): Field {
  if (choice === undefined) return field
  return 'search' in choice ? { ...field, search: choice.search, options: choice.names } : chosenFrom(field, choice)
}

/** A list is ticked, a single value is selected. A present value that is no option stays one. */
function chosenFrom(field: Field, options: Field['options']): Field {
  if (field.kind === 'choices' && typeof field.value !== 'string')
    return { ...field, options, value: field.value.filter((each) => options.some(({ value }) => value === each)) }
  if (field.kind === 'lines') return tickedFrom(field, options)
  if (field.kind === 'list') return { ...field, fields: (field.fields ?? []).map((cell) => ({ ...cell, options })) }
  if ((field.kind === 'json' || field.kind === 'rows') && options.every(({ value }) => value.startsWith('{')))
    return { ...field, kind: 'objects', options, value: listIn(String(field.value)) }
  const present = String(field.value)
  const isKnown = present === '' || options.some(({ value }) => value === present)
  return {
    ...field,
    kind: field.kind === 'json' ? 'json' : 'choice',
    options: isKnown ? options : [...options, { value: present, label: present }],
  }
}

/** In the order of the options: a form without a change changes nothing. */
function tickedFrom(field: Field, options: Field['options']): Field {
  const present = String(field.value)
    .split('\n')
    .filter((each) => each !== '')
  const unknown = present.filter((each) => options.every(({ value }) => value !== each))
  const all = [...options, ...unknown.map((value) => ({ value, label: value }))]
  const value = all.map((option) => option.value).filter((each) => present.includes(each))
  return { ...field, kind: 'choices', options: all, value }
}

/** The objects of a list, each as its JSON. */
const listIn = (text: string): string[] =>
  text === '' ? [] : (JSON.parse(text) as unknown[]).map((each) => JSON.stringify(each))
