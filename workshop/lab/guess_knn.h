/* knn, k = 1: what the guesses about its mistakes have in common. */
#ifndef RUNGS_GUESS_KNN_H
#define RUNGS_GUESS_KNN_H

#include "common/knn.h"
#include "workshop/lab/pattern.h"

/* Returns h of observation i and reference j: sin^2 of half the angle between them. */
double knn_h(const struct knn *p, size_t i, size_t j);

/* Returns the angle that belongs to h. */
double knn_angle(double h);

/* Returns the nearest reference of `first` to `last` - 1; of equals, the lowest index. */
size_t knn_nearest(const struct knn *p, size_t i, size_t first, size_t last);

/* Returns whether references j and `other` are equally near to observation i, within the accuracy of float32. */
bool knn_as_near(const struct knn *p, size_t i, size_t j, size_t other);

/* Which reference is taken for the nearest of observation i; n if there is none. */
typedef size_t knn_rule(const struct knn *p, size_t i);

size_t knn_right(const struct knn *p, size_t i);

/* What lane 0 finds by itself, if reference j is for lane j % 32. */
size_t knn_of_first_lane(const struct knn *p, size_t i);

/* Returns whether all indices follow the rule. */
bool knn_follows(const struct knn *p, knn_rule *of);

/* Adds the first observation that has got another reference than the nearest. */
void knn_add_first(const struct knn *p, struct mistake *m);

/* --- each of these sets the mistake and returns true, if it explains the result ------------------- */

/* Some references were not looked at, or another one than the nearest was kept: guess_knn_points.c. */
bool knn_alone(const struct knn *p, const struct view *v, struct mistake *m);
bool knn_other_points(const struct knn *p, const struct view *v, struct mistake *m);
bool knn_other_steps(const struct knn *p, struct mistake *m); /* guess_knn_steps.c */
bool knn_breaks_tie(const struct knn *p, const struct view *v, struct mistake *m);
bool knn_ends_early(const struct knn *p, struct mistake *m);

/* The distance is computed by another formula, or from other places: guess_knn_distances.c. */
bool knn_other_formula(const struct knn *p, const struct view *v, struct mistake *m);
bool knn_other_reference(const struct knn *p, const struct view *v, struct mistake *m);
bool knn_flat_map(const struct knn *p, const struct view *v, struct mistake *m);
bool knn_other_angle(const struct knn *p, struct mistake *m);
bool knn_other_order(const struct knn *p, const struct view *v, struct mistake *m);
bool knn_with_number_j(const struct knn *p, struct mistake *m);
bool knn_is_rounding(const struct knn *p, const struct view *v, struct mistake *m);

/* Returns whether some observations have got a reference that is clearly farther away than the nearest; false: an index is none. */
bool knn_others_are_nearer(const struct knn *p);

/* References are compared by another number than the distance: guess_knn_orders.c, guess_knn_space.c. */
bool knn_other_space(const struct knn *p, struct mistake *m);
bool knn_other_measure(const struct knn *p, struct mistake *m);

/* A thread does not begin its search anew: guess_knn_reset.c. */
bool knn_not_reset(const struct knn *p, const struct view *v, struct mistake *m);

/* Distances are compared without their fractions: guess_knn_whole.c. */
bool knn_whole(const struct knn *p, const struct view *v, struct mistake *m);

/* Index and distance do not belong together, or were never kept: guess_knn_lists.c. */
bool knn_never_kept(const struct knn *p, const struct view *v, struct mistake *m);
bool knn_index_left(const struct knn *p, const struct view *v, struct mistake *m);
bool knn_other_index(const struct knn *p, struct mistake *m);
bool knn_exchanged(const struct knn *p, const struct view *v, struct mistake *m);
bool knn_only_indices(const struct knn *p, const struct view *v, struct mistake *m);
/* The search goes on behind the last reference, where the tile holds zeros. */
bool knn_behind_the_last(const struct knn *p, const struct view *v, struct mistake *m);
bool knn_strangers(const void *c, const struct view *v, struct mistake *m);

/* Adds to results that are NaN what the right h of observation and reference is: guess_knn_numbers.c. */
void knn_no_number(const void *c, const struct view *v, struct mistake *m);

#endif
