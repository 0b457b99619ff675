import { type ReactNode, useId } from 'react'
import { say } from '../../../lib/text/console'

type Props = {
  path: string
  /** The name of the parameter; absent where a form has filters alone. */
  name?: string
  label?: string
  value?: string | undefined
  hint?: string | undefined
  /** More controls. */
  children?: ReactNode
}

/** A form that asks this page for something else. */
export function Search({ path, name, label, value, hint, children }: Props) {
  const id = useId()
  return (
    <>
      <form className="co-search" action={path}>
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
              aria-describedby={hint ? `${id}-hint` : undefined}
            />
          </>
        )}
        {children}
        <button type="submit" className="co-button">
          {say('list.find')}
        </button>
      </form>
      {hint && (
        <p id={`${id}-hint`} className="co-hint">
          {hint}
        </p>
      )}
    </>
  )
}
