import { type ReactNode, useId } from 'react'

type Props = {
  /** For links to it. */
  id?: string
  title: string
  lead?: ReactNode
  danger?: boolean
  children: ReactNode
}

/** A group of settings or facts, with what it is about beside it. */
export function Panel({ id: anchor, title, lead, danger = false, children }: Props) {
  const id = useId()
  return (
    <section id={anchor} className={danger ? 'co-panel co-panel-danger' : 'co-panel'} aria-labelledby={id}>
      <div className="co-panel-about">
        <h2 id={id} className="co-panel-title">
          {title}
        </h2>
        {lead && <p className="co-hint">{lead}</p>}
      </div>
      <div className="co-panel-body">{children}</div>
    </section>
  )
}
