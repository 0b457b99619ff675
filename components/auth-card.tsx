import type { ReactNode } from 'react'
import { Unbroken } from './unbroken'

type Props = { title: string; lead?: string | undefined; picture?: ReactNode; children?: ReactNode }

/** The column for one task: its title, its account or app, and its form. */
export function AuthCard({ title, lead, picture, children }: Props) {
  return (
    <section className="card">
      <div className="flex flex-col gap-2">
        {picture}
        <h1 className="card-title">
          <Unbroken text={title} />
        </h1>
        {lead && <p className="card-lead">{lead}</p>}
      </div>
      {children}
    </section>
  )
}
