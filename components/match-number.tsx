/** A number that another browser or device requires, so that users approve only the login in front of them. */
export const MatchNumber = ({ says, number }: { says: string; number: string | undefined }) => (
  <div className="match">
    <p>{says}</p>
    <p className="match-number" dir="ltr">
      {number}
    </p>
  </div>
)
