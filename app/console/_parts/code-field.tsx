'use client'
import { type ChangeEvent, lazy, Suspense, useRef, useState } from 'react'
import type { Field, Syntax } from '../../../lib/server/next/console/field'

const CodeEditor = lazy(() => import('./code-editor'))

type Props = {
  field: Field
  syntax: Syntax
  control: {
    id: string
    name: string
    className: string
    'aria-describedby'?: string | undefined
    onChange(event: ChangeEvent<HTMLTextAreaElement>): void
  }
}

/** A text area, in whose place an editor stands from its first focus on: no page loads it before. */
export function CodeField({ field: { label, value, required }, syntax, control }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const [isUsed, setUsed] = useState(false)
  const text = typeof value === 'string' ? value : ''
  return (
    <>
      <textarea
        {...control}
        ref={area}
        className="co-input co-code"
        defaultValue={text}
        rows={Math.min(14, Math.max(3, text.split('\n').length))}
        required={required}
        spellCheck={false}
        onFocus={() => setUsed(true)}
      />
      {isUsed && (
        <Suspense>
          <CodeEditor control={area} label={label} syntax={syntax} describedBy={control['aria-describedby']} />
        </Suspense>
      )}
    </>
  )
}
