import { type ReactNode, useId } from 'react'
import { say } from '../../../lib/text/console'
import { LiveForm } from './live-form'

/** A filter with its options; without them, its value is typed. */
export type ShownFilter = {
  name: string
  label: string
  options: readonly { value: string; label: string }[] | undefined
}

type Props = {
  path: string
  /** The name of the parameter; absent where a form has filters alone. */
  name?: string
  label?: string
  value?: string | undefined
  hint?: string | undefined
  /** The order of the list, which a search keeps. */
  sort?: string | undefined
  filters?: readonly ShownFilter[] | ReactNode
  /** The values of the filters. */
  requested?: Readonly<Record<string, string | undefined>>
  /** More controls. */
  children?: ReactNode
}

const isShownFilters = (filters: Props['filters']): filters is readonly ShownFilter[] =>
  Array.isArray(filters) && filters.every((each) => typeof each === 'object' && each !== null && 'label' in each)

/** A form that asks this page for something else: as one types, and by its button without scripts. */
export function Search({ path, name, label, value, hint, sort, filters, requested = {}, children }: Props) {
  const id = useId()
  return (
    <div className="co-search-part">
      <LiveForm path={path}>
        {name && (
          <>
            <label className="co-hidden" htmlFor={id}>
              {label}
            </label>
            <input
              id={id}
              className="co-input"
              type="search"
              name={name}
              defaultValue={value}
              placeholder={label}
              autoComplete="off"
              spellCheck={false}
              aria-describedby={hint ? `${id}-hint` : undefined}
              data-list-search=""
            />
          </>
        )}
        {sort && <input type="hidden" name="sort" value={sort} />}
        {isShownFilters(filters)
          ? filters.map((filter) => <FilterControl key={filter.name} filter={filter} value={requested[filter.name]} />)
          : filters}
        {children}
        <button type="submit" className="co-button">
          {say('list.find')}
        </button>
      </LiveForm>
      {hint && (
        <p id={`${id}-hint`} className="co-hint">
          {hint}
        </p>
      )}
    </div>
  )
}

function FilterControl({ filter, value }: { filter: ShownFilter; value: string | undefined }) {
  const { name, label, options } = filter
  if (options === undefined)
    return (
      <input className="co-input co-filter" name={name} defaultValue={value} placeholder={label} aria-label={label} />
    )
  return (
    <select className="co-input co-filter" name={name} defaultValue={value ?? ''} aria-label={label}>
      <option value="">{label}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {label}: {option.label}
        </option>
      ))}
    </select>
  )
}
