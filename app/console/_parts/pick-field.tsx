'use client'
import { type ComponentType, lazy, Suspense, useRef, useState } from 'react'
import { controlId, type FieldOption, type SearchedKind } from '../../../lib/server/next/console/field'
import { say } from '../../../lib/text/console'
import { type ControlledField, isAbout } from './field-props'
import { describedBy, Notes } from './notes'
import { useScripts } from './use-scripts'

const PickList = lazy(() => import('./pick-list'))

type Props = ControlledField & { search: SearchedKind; Plain: ComponentType<ControlledField> }

/**
 * Objects by their names, found while a person types. Without scripts the person types a name, an address or an id, and the server says where
 * that is not one object.
 */
export function PickField({ search, Plain, ...props }: Props) {
  const scripted = useScripts()
  if (scripted) return <Picker {...props} search={search} />
  const { field } = props
  const named = field.options.map(({ value, label }) => say('pick.named', { value, label }))
  return (
    <Plain {...props} field={{ ...field, help: [field.help, say('pick.typed'), ...named].filter(Boolean).join(' ') }} />
  )
}

function Picker({
  field,
  formId,
  refusal,
  marksOptional,
  controlName,
  search,
}: ControlledField & { search: SearchedKind }) {
  const { name, kind, label, help, value, options, required } = field
  const isList = kind === 'lines'
  const [picked, setPicked] = useState<readonly FieldOption[]>(() =>
    String(value)
      .split('\n')
      .filter((each) => each !== '')
      .map((each) => options.find((option) => option.value === each) ?? { value: each, label: each }),
  )
  const hidden = useRef<HTMLInputElement>(null)
  const id = controlId(formId, name)
  const problem = isAbout(refusal, name) ? refusal.message : undefined
  const change = (next: readonly FieldOption[]): void => {
    setPicked(next)
    // What a person has changed is read from the controls, once they are there.
    requestAnimationFrame(() => {
      hidden.current?.dispatchEvent(new Event('input', { bubbles: true }))
      document.getElementById(id)?.focus()
    })
  }
  const pick = (option: FieldOption): void => {
    const others = picked.filter((each) => each.value !== option.value)
    change(isList ? [...others, option] : [option])
  }
  const isOpen = isList || picked.length === 0
  return (
    <div className="co-field co-pick">
      <label className="co-label" htmlFor={id} id={`${id}-label`}>
        {label}
        {marksOptional && !required && <span className="co-optional"> {say('form.optional')}</span>}
      </label>
      <input
        ref={hidden}
        type="hidden"
        name={controlName ?? `${kind}:${name}`}
        value={picked.map((each) => each.value).join('\n')}
      />
      {picked.length > 0 && (
        <ul className="co-picked">
          {picked.map((each) => (
            <li key={each.value}>
              <bdi title={each.value}>{each.label}</bdi>
              <button
                type="button"
                id={isOpen ? undefined : id}
                className="co-button co-button-small co-cells-step"
                aria-label={say('pick.remove', { name: each.label })}
                onClick={() => change(picked.filter(({ value: other }) => other !== each.value))}
              >
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {isOpen && (
        <Suspense fallback={<input id={id} className="co-input" disabled />}>
          <PickList
            id={id}
            label={label}
            kind={search}
            describedBy={describedBy(id, help, problem)}
            isInvalid={problem !== undefined}
            isRequired={required && picked.length === 0}
            pick={pick}
          />
        </Suspense>
      )}
      <Notes id={id} hint={help} problem={problem} />
    </div>
  )
}
