/** Single export files of other services. Some of their titles are missing in the demo catalogue. */

export const NETFLIX_HISTORY = `Title,Date
"Nobody Knows This: Season 1: B","22/03/2021"
"Nobody Knows This: Season 1: A","21/03/2021"
"Dark: Season 1: Episode 3","20/03/2021"
"Dark: Season 1: Episode 2","19/03/2021"
"The Shawshank Redemption","18/03/2021"
"Stranger Things: Season 1: A Chapter of no number","17/03/2021"
"DuckTales: Season 1: C","16/03/2021"
"The Shawshank Redemption","01/02/2020"
`
export const IMDB_RATINGS_CSV = `Const,Your Rating,Date Rated,Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors
tt0111161,9,2020-05-05,The Shawshank Redemption,,Movie,9.3,142,1994,,1,,
tt0068646,4,2020-05-06,The Godfather,,Movie,9.2,175,1972,,1,,
tt5753856,6,2020-05-07,Dark,,TV Series,8.7,60,2017,,1,,
tt9999999999,6,2020-05-07,Nothing,,Movie,8.7,60,2017,,1,,
`
export const createNetflixMyList = (title: string) =>
  `Profile Name,Title Name,Country,Utc Title Add Date\nA,${title},Canada,2022-01-22\nB,The Godfather,Canada,2022-01-23\n`
