import type { DemoProblem } from './problems'

export function ProblemNote({ problem: { title, text, link } }: { problem: DemoProblem }) {
  return (
    <div className="notice notice-error" role="alert">
      <h2 className="notice-heading">{title}</h2>
      <p>{text}</p>
      {link && (
        <a className="link" href={link.href}>
          {link.label}
        </a>
      )}
    </div>
  )
}
