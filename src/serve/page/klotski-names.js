// What the layouts are called where they come from, and what that means.

const NAMES = {
  classic: ["横刀立马", "Blade across, horse standing"],
  zhihuiruoding: ["指挥若定", "Calm in command"],
  jiangyongcaoying: ["将拥曹营", "Generals around Cao's camp"],
  qitoubingjin: ["齐头并进", "Side by side"],
  bingfensanlu: ["兵分三路", "Soldiers on three roads"],
  zuoyoububing: ["左右布兵", "Soldiers left and right"],
  taohuayuanzhong: ["桃花园中", "In the peach garden"],
  yilujinjun: ["一路进军", "Marching all the way"],
  yilushunfeng: ["一路顺风", "Fair wind all the way"],
  yushengxili: ["雨声淅沥", "Pattering rain"],
  shuixiebutong: ["水泄不通", "Not a drop gets through"],
  fenghuiluzhuan: ["峰回路转", "A winding path"],
};

/** A layout's name in characters and in English; another text as it is. */
export function layoutName(name) {
  const [characters, english] = NAMES[name] ?? [];
  return english ? `${english} ${characters}${name === "classic" ? " (classic)" : ""}` : name;
}
