/** Returns a key that identifies a title in maps: the id alone is unique only within its type. */
export const buildTitleKey = ({ type, id }: { type: string; id: string }): string => `${type}/${id}`
