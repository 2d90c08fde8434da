/**
 * Returns the age in full years on `today`, or at death. Returns null when the birthday is not known, or is later than
 * `today` or the day of death. Dates are `YYYY-MM-DD`.
 */
export function getAgeInYears(
  birthday: string | null,
  deathday: string | null,
  today: string,
): number | null {
  if (!birthday) return null
  const endDate = deathday ?? today
  const years = Number(endDate.slice(0, 4)) - Number(birthday.slice(0, 4))
  const ageYears = endDate.slice(5) < birthday.slice(5) ? years - 1 : years
  return ageYears >= 0 ? ageYears : null
}
