/** Word lists for invented names in several scripts. They contain no real title or person. */

const splitWords = (text: string) => text.trim().split(/\s+/)

export const en = {
  adjectives:
    splitWords(`dark last lost silent golden broken secret wild red black white blue hidden final first long cold little
    great strange burning frozen quiet dead endless empty iron silver crimson savage gentle hollow distant bitter lonely
    stolen forgotten perfect deadly brave crooked electric paper glass wicked royal midnight northern southern`),
  nouns:
    splitWords(`night day house river road king queen city garden winter summer war heart moon star shadow fire storm sea
    mountain forest island letter song dream game hunter dragon knight wolf bird train bridge door window mirror crown
    soldier stranger daughter son brother sister mother father doctor detective captain pirate ghost witch angel devil
    memory promise secret truth lie kingdom empire castle tower valley desert ocean harbor station hotel school
    wedding funeral dance dinner kitchen market factory machine robot planet galaxy signal code key map diary`),
  verbs:
    splitWords(`finding losing chasing saving leaving breaking burning crossing killing loving meeting raising waking
    calling catching counting dancing dreaming falling flying hunting keeping living missing playing running singing`),
  places:
    splitWords(`paris tokyo berlin london cairo havana texas brooklyn boston chicago vienna lisbon dublin moscow seoul
    mumbai istanbul marrakesh oslo prague venice rome madrid naples athens sydney casablanca monaco alaska nevada`),
  connectors: [
    'of the',
    'and the',
    'in the',
    'under the',
    'without a',
    'for a',
    'at the',
    'from the',
    'of',
    'in',
    '&',
    'vs.',
  ],
}
export const fr = {
  nouns:
    splitWords(`nuit jour maison rivière été hiver guerre cœur lune étoile ombre forêt île lettre chanson rêve chasseur
    chevalier loup fenêtre miroir couronne étranger fille frère sœur mère père médecin pirate fantôme sorcière mémoire
    vérité château désert océan hôtel école fête cuisine voyage fantaisie légende héros démon`),
  adjectives: splitWords(
    'noire blanche dernière première perdue secrète sauvage éternelle étrange oubliée dorée brisée cachée',
  ),
  connectors: ['de la', 'du', 'et la', 'dans la', 'sans', "de l'"],
}
export const es = {
  nouns:
    splitWords(`noche día casa río verano invierno guerra corazón luna estrella sombra bosque isla carta canción sueño
    cazador caballero lobo ventana espejo corona extraño hija hermano madre padre médico pirata fantasma bruja memoria
    verdad castillo desierto océano hotel escuela niño niña señor mañana`),
  adjectives: splitWords(
    'negra blanca última primera perdida secreta salvaje eterna extraña olvidada dorada rota escondida',
  ),
  connectors: ['de la', 'del', 'y la', 'en la', 'sin', 'de'],
}
export const de = {
  nouns:
    splitWords(`Nacht Tag Haus Fluss Sommer Winter Krieg Herz Mond Stern Schatten Wald Insel Brief Lied Traum Jäger Ritter
    Wolf Fenster Spiegel König Königin Mädchen Brüder Schwester Mutter Vater Straße Größe Märchen Frühling Glück`),
  adjectives: splitWords(
    'schwarze weiße letzte erste verlorene geheime wilde ewige fremde vergessene goldene süße kühne',
  ),
  connectors: ['des', 'und die', 'in der', 'ohne', 'von'],
}
export const ar = {
  nouns:
    splitWords(`الليل النهار البيت النهر الصيف الشتاء الحرب القلب القمر النجمة الظل الغابة الجزيرة الرسالة الأغنية الحلم
    الفارس الذئب النافذة المرآة التاج الغريب الابنة الأخ الأم الأب الطبيب القرصان الشبح الساحرة الذاكرة الحقيقة القصر
    الصحراء المحيط الفندق المدرسة الطريق المدينة السر الملك الأميرة`),
  adjectives: splitWords(
    'الأسود الأبيض الأخير الأول الضائع السري البري الأبدي الغريب المنسي الذهبي المكسور الخفي الكبير',
  ),
  connectors: ['في', 'من', 'و', 'بلا', 'على', 'تحت'],
}
export const ru = {
  nouns:
    splitWords(`ночь день дом река лето зима война сердце луна звезда тень лес остров письмо песня мечта охотник рыцарь
    волк окно зеркало корона чужой дочь брат сестра мать отец врач пират призрак ведьма память правда замок пустыня`),
  adjectives: splitWords(
    'чёрная белая последняя первая потерянная тайная дикая вечная странная забытая золотая разбитая',
  ),
  connectors: ['и', 'в', 'без', 'под', 'над', 'за'],
}
export const ja = {
  nouns: splitWords(
    '夜 昼 家 川 夏 冬 戦争 心 月 星 影 森 島 手紙 歌 夢 狩人 騎士 狼 窓 鏡 王冠 娘 兄弟 母 父 海賊 幽霊 魔女 記憶 真実 城 砂漠 学校 少女 少年 世界',
  ),
  adjectives: splitWords('黒い 白い 最後の 最初の 失われた 秘密の 永遠の 不思議な 忘れられた 黄金の 壊れた'),
  connectors: ['の', 'と', 'から', 'への'],
}
export const ko = {
  nouns: splitWords(
    '밤 낮 집 강 여름 겨울 전쟁 마음 달 별 그림자 숲 섬 편지 노래 꿈 사냥꾼 기사 늑대 창문 거울 왕관 딸 형제 어머니 아버지 해적 유령 마녀 기억 진실 성 사막 학교',
  ),
  adjectives: splitWords('검은 하얀 마지막 첫번째 잃어버린 비밀의 영원한 이상한 잊혀진 황금의 부서진'),
  connectors: ['그리고', '속의', '없는', '위의'],
}

export const MOVIE_GENRE_IDS = [
  28, 12, 16, 35, 80, 99, 18, 10751, 14, 36, 27, 10402, 9648, 10749, 878, 53, 10752, 37,
]
export const TV_GENRE_IDS = [
  10759, 16, 35, 80, 99, 18, 10751, 10762, 9648, 10763, 10764, 10765, 10766, 10767, 10768, 37,
]

/** First, middle and last syllables of invented words and names in Latin script. */
export const syllables = {
  start: splitWords(
    'al an ar ba be bo bra ca co da de el fa fe ga ha he ja ka ki la le lo ma me mi mo na ne no o pa pe ra re ri ro sa se si so sta ta te to va ve vi wa we yu za zo',
  ),
  middle: splitWords(
    'ba be ca ci da de di fo ga la le li lo ma me mi na ne ni no ra re ri ro sa se si ta te ti to va ve vi za',
  ),
  end: splitWords(
    'n s r l t d la na ra ta ne re te ll ck nd rt son ton ley ski ez is as os er in an el ia io us ov ev sen berg man',
  ),
}
